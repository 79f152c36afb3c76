import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { rawValue } from '../../fields/value';
import { asText, type DataValue } from '../../shared/objects';

/**
 * The ID or the value that is chosen in the node beside the list; nothing as long as none is, and of an expression, which
 * can't be resolved in the editor.
 */
export function chosenRecord(context: ILoadOptionsFunctions, parameter: string): string | undefined {
  const chosen = asText(rawValue({ [parameter]: asItStands(context, parameter) }, parameter, 'resourceLocator')).trim();
  return /^[A-Za-z0-9]+$/.test(chosen) ? chosen : undefined;
}

function asItStands(context: ILoadOptionsFunctions, parameter: string): DataValue {
  try {
    return context.getCurrentNodeParameter(parameter);
  } catch {
    return {};
  }
}
