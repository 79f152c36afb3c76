import { LOOK_UP_FIRST, SECRET, type Entry } from '../../model/refusal';

/** Values of `code` in answers of the platform (service.md#codes). */
export const platform: readonly Entry[] = [
  {
    codes: ['0'],
    what: 'The service reports success.',
    advice: 'Nothing to do. Where a failure is reported all the same, look the record up first.',
  },
  {
    codes: ['2'],
    what: 'The service found values that it does not accept.',
    advice: 'Correct the fields that are named.',
    named: true,
  },
  {
    codes: ['6'],
    what: `The ${SECRET} may not use this part of the service.`,
    advice: 'Ask support to enable it for the account, or use a credential that has access.',
  },
  {
    codes: ['7'],
    what: 'The service has no such record or path.',
    advice:
      'Check the ID, and that it is from the environment of the credential: test and production share no records.',
  },
  {
    codes: ['11'],
    what: 'The service did not accept the credential, or this merchant may not use the operation.',
    advice: `Check the Environment, Base URL, Merchant ID and ${SECRET} in the credential. If they are right, ask support to enable the operation.`,
  },
  { codes: ['99'], what: 'The service failed while it worked on the request.', advice: LOOK_UP_FIRST },
];
