import { runWorkflow } from './harness';

test('a refused connection stops the run', async () => {
  const out = await runWorkflow({
    rows: [
      { id: '123', a: 5 },
      { id: '124', a: 0.1 },
    ],
    parameters: {
      resource: 'transaction',
      operation: 'refund',
      pgIdOrig: '={{ $json.id }}',
      amt_tran: '={{ $json.a }}',
    },
    credential: {
      environment: 'test',
      baseUrl: 'http://127.0.0.1:9/test',
      merchantId: '123456789012',
      authMethod: 'apiKey',
      apiKey: 'k',
    },
  });
  console.log(JSON.stringify(out.run.data.resultData.error?.stack ?? ''), out.error?.message, out.error?.description, JSON.stringify(out.error?.context), out.run.status);
});
