import { gatewayFields } from '../../fields/common';
import { integer } from '../../fields/kinds/number';
import { operation } from '../../model/operation';
import * as wire from '../../wire/operations';

const { body, request } = wire.getBalance;

export const getBalance = operation({
  value: 'getBalance',
  name: 'Get Prepaid Balance',
  action: 'Get prepaid card balance',
  description: 'Retrieve the balance of a prepaid account',
  request,
  fields: [
    integer({
      ...body.fbo_id,
      label: 'Prepaid Account ID',
      description: 'ID of the prepaid account (fbo_id)',
      placeholder: 'e.g. 7001',
      required: true,
    }),
  ],
  additional: gatewayFields(body),
  needsSupport: 'Support may need to enable prepaid accounts for your account.',
});
