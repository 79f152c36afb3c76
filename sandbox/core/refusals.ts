/** Error response in the gateway's flat format (openapi.yaml#GatewayError). */
export class GatewayRefusal extends Error {
  constructor(
    readonly rcode: string,
    message: string,
    readonly httpStatus = 400,
    readonly pg_id?: string,
  ) {
    super(message);
  }
}

/** Error response in the platform's format. */
export class PlatformRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly httpStatus: number,
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/**
 * Creates a refusal with code 2 and HTTP status 400.
 * @param fields problems by field.
 */
export function invalidFields(fields: Readonly<Record<string, string>>): PlatformRefusal {
  return new PlatformRefusal(2, 'Validation error', 400, fields);
}

/** Creates a refusal with code 7 and HTTP status 404 for a resource that doesn't exist. */
export function noSuchResource(what: string): PlatformRefusal {
  return new PlatformRefusal(7, `${what} not found`, 404);
}
