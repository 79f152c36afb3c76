import { LOOK_UP_FIRST, CREDENTIAL_SECRET, type CatalogueEntry } from '../../model/failure';

/** `code` in platform responses (service.md#codes). */
export const platform: readonly CatalogueEntry[] = [
  {
    codes: ['0'],
    what: 'The service reports success.',
    advice:
      'No action is needed. If the node reports a failure anyway, look up the record before you do anything else.',
  },
  {
    codes: ['2'],
    what: 'The service does not accept some of the values.',
    advice: 'Correct the fields named in the message.',
    named: true,
  },
  {
    codes: ['6'],
    what: `The ${CREDENTIAL_SECRET} has no access to this part of the service.`,
    advice: 'Ask support to enable access for the account, or use a credential that has access.',
  },
  {
    codes: ['7'],
    what: 'The record or path does not exist.',
    advice: 'Check the ID and the environment of the credential. Test and Production have separate records.',
  },
  {
    codes: ['11'],
    what: "The service did not accept the credential, or this merchant can't use the operation.",
    advice: `Check the Environment, Base URL, Merchant ID and ${CREDENTIAL_SECRET} in the credential. If all four are correct, ask support to enable the operation.`,
  },
  { codes: ['99'], what: 'An error occurred in the service while processing the request.', advice: LOOK_UP_FIRST },
];
