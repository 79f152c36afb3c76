import type { Resource } from '../../model/types';
import { create } from './create';
import { get } from './get';
import { getAll } from './get-all';
import { getEvents } from './get-events';
import { addEvent, removeEvent } from './single-event';
import { switchOff, switchOn } from './switch';
import { update } from './update';

export const webhook: Resource = {
  value: 'webhook',
  name: 'Webhook',
  description: 'URLs that the service notifies of events',
  preselected: getAll.value,
  operations: [create, get, getAll, update, switchOn, switchOff, getEvents, addEvent, removeEvent],
};
