import { operation } from '../../model/operation';
import { lookFor } from '../merge-with-current';
import * as wire from '../../wire/operations';
import { requestId } from './fields';
import { canceledRequestFootprint } from './footprint';
import { requestStates } from './get-all';

const { request, path } = wire.cancelAusRequest;

const IN_PROGRESS = 'INPROGRESS';

const stateOf = (status = '') =>
  (requestStates.find(({ value }) => value === status)?.name ?? status).toLowerCase() || 'unknown';

export const cancel = operation({
  value: 'cancel',
  name: 'Cancel',
  action: 'Cancel account updater request',
  description: 'Cancel an account updater request that is in progress',
  request,
  fields: [requestId(path.request_id)],
  steps: {
    sends: [request],
    each: [
      {
        look: ({ path: ids }) => lookFor(wire.getAccountUpdaterSummary.request, { path: ids, body: {} }),
        decide: ([found]: Array<{ status?: string }>) => {
          if (!found) return { refuse: 'No account updater request has this ID, so nothing was sent' };
          const { status } = found;
          if (status === IN_PROGRESS) return { request: { to: request } };
          return {
            refuse: `Nothing was sent, because the request is ${stateOf(status)}. Only a request that is in progress can be canceled`,
          };
        },
      },
    ],
  },
  setsState: true,
  summary: (_, values) => `Account updater request ${values.path.request_id} is canceled.`,
  footprint: canceledRequestFootprint,
  lookUp:
    'Check the status of request {request_id} in Account Updater > Get Summary. The status CANCELED means that the request was canceled.',
});
