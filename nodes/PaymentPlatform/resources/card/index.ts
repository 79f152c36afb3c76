import type { Resource } from '../../model/types';
import { expireToken } from './expire-token';
import { getBalance } from './get-balance';
import { getType } from './get-type';
import { tokenize } from './tokenize';
import { updateToken } from './update-token';
import { verify } from './verify';

export const card: Resource = {
  value: 'card',
  name: 'Card',
  description: 'Tokenized cards and bank accounts',
  preselected: getType.value,
  operations: [tokenize, verify, updateToken, getType, getBalance, expireToken],
};
