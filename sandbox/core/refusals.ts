/**
 * A refusal in the gateway's flat shape (openapi.yaml#GatewayError): thrown by rules, turned into an answer in one
 * place.
 */
export class GatewayRefusal extends Error {
  constructor(
    readonly rcode: string,
    message: string,
    readonly httpStatus = 400,
    /** The pg_id that the answer repeats, when the request named one. */
    readonly pg_id?: string,
  ) {
    super(message);
  }
}

/** A refusal in the platform's shape: code, message, and on validation the fields with their messages. */
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

/** Code 2 at HTTP 400: `fields` names each field and what is wrong with it. */
export function invalidFields(fields: Readonly<Record<string, string>>): PlatformRefusal {
  return new PlatformRefusal(2, 'Validation error', 400, fields);
}

/** Code 7 at HTTP 404: the URL is right in form but names nothing. */
export function noSuchResource(what: string): PlatformRefusal {
  return new PlatformRefusal(7, `${what} not found`, 404);
}
