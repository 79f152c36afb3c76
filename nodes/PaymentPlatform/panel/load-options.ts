import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { CODE_LISTS } from '../fields/common';
import { eventOptions, singleEvents } from '../fields/events';
import { optionsOf } from '../fields/kinds/choice';
import { outputFieldsOf } from '../output/tool-output';
import type { Operation, Resource } from '../model/types';

/** Needs no request and no credential. */
export type OptionList = (operation: Operation | undefined) => INodePropertyOptions[];

/** Keyed by the name of the method that loads the list. */
export const optionLists = {
  [CODE_LISTS.countries.method]: () => optionsOf(CODE_LISTS.countries),
  [CODE_LISTS.currencies.method]: () => optionsOf(CODE_LISTS.currencies),
  getEvents: () => eventOptions,
  getSingleEvents: () => singleEvents,
  getRecordFields: (operation) => (operation?.list?.fields ?? []).map(({ name, value }) => ({ name, value })),
  getOutputFields: (operation) => (operation ? outputFieldsOf(operation).map((name) => ({ name, value: name })) : []),
} satisfies Record<string, OptionList>;

/** Uses the operation that the user selected in the editor. */
export function loadOptions(
  method: keyof typeof optionLists,
  declared: readonly Resource[],
  context: ILoadOptionsFunctions,
): INodePropertyOptions[] {
  const [chosen, operation] = ['resource', 'operation'].map((name) => context.getCurrentNodeParameter(name));
  const resource = declared.find(({ value }) => value === chosen);
  return optionLists[method](resource?.operations.find(({ value }) => value === operation));
}
