export const amountOf = (request: { values: { body: Record<string, unknown> } }): number | undefined =>
  Number(request.values.body.amt_tran ?? 0);
