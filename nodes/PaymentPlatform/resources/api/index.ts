import type { Resource } from '../../model/types';
import { request } from './request';

export const api: Resource = {
  value: 'api',
  name: 'API Request',
  description: 'Any endpoint of the service',
  preselected: request.value,
  operations: [request],
};
