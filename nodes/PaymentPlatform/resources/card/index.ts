import type { Resource } from '../../model/types';
import { tokenize } from './tokenize';
import { updateToken } from './update-token';

export const card: Resource = {
  value: 'card',
  name: 'Card',
  description: 'Cards and bank accounts saved under a card ID',
  preselected: tokenize.value,
  operations: [tokenize, updateToken],
};
