import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

export interface Asked {
  method: string;
  path: string;
  query: IDataObject;
  body?: string;
}

export interface Reply {
  status?: number;
  /** Platform code in the response body. Defaults to 99 for an error status. */
  code?: number;
  data?: unknown;
  /** Defaults to the length of a list with fewer records than requested. */
  totalRecords?: number | undefined;
  totalPages?: number;
}

/** Base URL of the fake service. No server listens at this address. */
export const BASE_URL = 'http://127.0.0.1:1';

/** Returns the requested page of a list. */
export const pageOf = <One>(all: One[], { page, count }: IDataObject): One[] =>
  all.slice(Number(page) * Number(count), (Number(page) + 1) * Number(count));

/** Creates an n8n context that records each HTTP request and passes the request to `reply`. */
export function fakeService(reply: (asked: Asked, number: number) => Reply | Promise<Reply>, more: object = {}) {
  const asked: Asked[] = [];
  const context = {
    getExecutionCancelSignal: () => undefined,
    getTimezone: () => 'America/New_York',
    getMode: () => 'manual',
    getWorkflow: () => ({ id: 'workflow' }),
    getExecutionId: () => '1',
    getNode: () => ({ name: 'Payment Platform', type: 'paymentPlatform', parameters: {} }),
    getContext: () => ({}),
    getInputData: () => [],
    evaluateExpression: () => 0,
    helpers: {
      httpRequestWithAuthentication: async (
        _: string,
        { method, url, qs, body: sent }: { method: string; url: string; qs: IDataObject; body?: string },
      ) => {
        const request = { method, path: url.replace(BASE_URL, ''), query: qs, body: sent };
        const {
          status = 200,
          code = status === 200 ? 0 : 99,
          data = [],
          ...given
        } = await reply(request, asked.push(request));
        const isShort = Array.isArray(data) && data.length < Number(qs.count) && Number(qs.page) === 0;
        const totals = isShort && Object.keys(given).length === 0 ? { totalRecords: data.length } : given;
        const body = JSON.stringify({ code, message: 'm', data, ...totals });
        return { statusCode: status, headers: {}, body };
      },
    },
    ...more,
  } as unknown as IExecuteFunctions;
  return { asked, context };
}
