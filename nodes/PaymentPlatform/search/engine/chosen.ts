import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { rawValue } from '../../fields/value';
import { type DataValue, asText } from '../../shared/objects';

/** Returns `undefined` for an expression, which the editor can't resolve. */
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
