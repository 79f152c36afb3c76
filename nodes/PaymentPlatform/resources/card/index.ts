import type { Resource } from '../../model/types';
import { tokenize } from './tokenize';
import { updateToken } from './update-token';

export const card: Resource = {
  value: 'card',
  name: 'Card',
  description: 'Tokenized cards and bank accounts',
  preselected: tokenize.value,
  operations: [tokenize, updateToken],
};
