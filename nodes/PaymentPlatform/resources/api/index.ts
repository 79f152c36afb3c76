import type { Resource } from '../../model/types';
import { request } from './request';

export const api: Resource = {
  value: 'api',
  name: 'API Request',
  description: 'Anything else that the service can do',
  preselected: request.value,
  operations: [request],
};
