import type { Resource } from '../../nodes/PaymentPlatform/model/types';
import { accountUpdater } from '../../nodes/PaymentPlatform/resources/account-updater';
import { submit } from '../../nodes/PaymentPlatform/resources/account-updater/submit';

/** Cards that travel in one request: so few that a few items already need several requests. */
const PER_REQUEST = 3;

/** The account updater as the node has it, with smaller requests. */
export const updater: Resource = {
  ...accountUpdater,
  preselected: submit.value,
  operations: [
    {
      ...submit,
      fields: submit.fields.map((field) =>
        field.perRequest === undefined ? field : { ...field, perRequest: PER_REQUEST },
      ),
    },
  ],
};

/** The expiration date of a card of so many cents. */
export const expirationOf = (cents: number): string => `${String((cents % 12) + 1).padStart(2, '0')}31`;
/** It is no expiration date, so the node refuses the row. */
export const NO_EXPIRATION = 'xx';
