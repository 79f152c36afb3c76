/**
 * A refusal in the gateway's flat format (openapi.yaml#GatewayError). Rules throw it, and `answerOfError` converts it
 * into a response.
 */
export class GatewayRefusal extends Error {
  constructor(
    readonly rcode: string,
    message: string,
    readonly httpStatus = 400,
    /** The pg_id that the response repeats if the request named one. */
    readonly pg_id?: string,
  ) {
    super(message);
  }
}

/** A refusal in the platform's format: code and message, and the invalid fields with their messages. */
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

/** Creates a refusal with code 2 at HTTP 400. `fields` describes the problem of each field. */
export function invalidFields(fields: Readonly<Record<string, string>>): PlatformRefusal {
  return new PlatformRefusal(2, 'Validation error', 400, fields);
}

/** Creates a refusal with code 7 at HTTP 404 for a valid URL whose resource doesn't exist. */
export function noSuchResource(what: string): PlatformRefusal {
  return new PlatformRefusal(7, `${what} not found`, 404);
}
