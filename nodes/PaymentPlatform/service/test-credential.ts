import type {
  ICredentialDataDecryptedObject,
  ICredentialTestFunctions,
  IDataObject,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import { faultCode } from '../messages/describe-answers';
import type { Account } from '../model/types';
import { asText, isObject, objectsIn } from '../shared/objects';
import { accountProblem, authorization, baseUrlOf, secretNameOf } from './account';
import { withinTime } from './send';

type EnvironmentName = Account['environment'];

const WORDS: Readonly<Record<EnvironmentName, readonly string[]>> = {
  test: ['test', 'testing', 'sandbox', 'staging', 'stage', 'uat', 'demo', 'dev'],
  production: ['production', 'prod', 'live'],
};

/**
 * The URL must contain the name as a whole word, such as "sandbox". Returns `undefined` if the URL names no environment
 * or both.
 */
export function environmentNamedBy(baseUrl: string): { environment: EnvironmentName; word: string } | undefined {
  const inAddress = baseUrl.toLowerCase().split(/[^a-z]+/);
  const named = (['test', 'production'] as const).flatMap((environment) => {
    const word = WORDS[environment].find((one) => inAddress.includes(one));
    return word === undefined ? [] : [{ environment, word }];
  });
  return named.length === 1 ? named[0] : undefined;
}

const TEST_CODE = /^T\d{5}$/;
/** A single code could look like a test code by chance. */
const ENOUGH = 3;

/** Uses the report's approval codes (service.md#test-environment). Returns `undefined` if there are too few. */
export function shownEnvironment(records: IDataObject[]): EnvironmentName | undefined {
  const codes = records.map(({ auth_code }) => asText(auth_code).trim()).filter((code) => code !== '');
  if (codes.some((code) => !TEST_CODE.test(code))) return 'production';
  return codes.length >= ENOUGH ? 'test' : undefined;
}

const TIMEOUT_MS = 20_000;
const LATEST = 20;

const LABELS: Readonly<Record<Account['environment'], string>> = { test: 'Test', production: 'Production' };
const MEANING: Readonly<Record<Account['environment'], string>> = {
  test: 'where no money moves',
  production: 'where real money moves',
};

interface Reply {
  status: number;
  body: IDataObject;
}

/** Fails if the service's environment contradicts the credential. */
export async function testCredential(
  context: ICredentialTestFunctions,
  credential: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
  const problem = accountProblem(credential);
  if (problem) return failed(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`);
  try {
    const reply = await ask(context, credential, '/platform/vault/customer', { count: 1, page: 0 });
    const refusal = refusalOf(reply, credential);
    if (refusal) return failed(refusal);
    return await environmentResult(context, credential);
  } catch (error) {
    return failed(unreachable(faultCode(error), credential));
  }
}

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

/** n8n provides no other HTTP helper for credential tests. Doesn't follow redirects. */
async function ask(
  { helpers }: ICredentialTestFunctions,
  credential: ICredentialDataDecryptedObject,
  path: string,
  qs: IDataObject,
): Promise<Reply> {
  const baseUrl = baseUrlOf(credential);
  const send = async (): Promise<unknown> =>
    await helpers.request({
      method: 'GET',
      uri: `${baseUrl}${path}`,
      // A local HTTP service is its own proxy, as in the credential's `authenticate`.
      ...(baseUrl.startsWith('http:') && { proxy: new URL(baseUrl).origin }),
      qs,
      headers: { accept: 'application/json', authorization: authorization(credential) },
      json: true,
      simple: false,
      resolveWithFullResponse: true,
      followRedirect: false,
      timeout: TIMEOUT_MS,
    });
  const response = await withinTime(TIMEOUT_MS, send);
  const { statusCode, body } = isObject(response) ? response : {};
  return { status: Number(statusCode), body: isObject(body) ? body : {} };
}

function refusalOf({ status, body }: Reply, credential: ICredentialDataDecryptedObject): string | undefined {
  const code = typeof body.code === 'number' ? body.code : undefined;
  const secret = secretNameOf(credential);
  const address = `Check the Base URL. The test used "${baseUrlOf(credential)}".`;
  if (status === 401 || code === 11)
    return `The Merchant ID or the ${secret} is wrong, or they do not belong to the environment of the Base URL. Each environment has its own Merchant ID and ${secret}.`;
  if (status === 403 || code === 6)
    return `The ${secret} has no access to the customer vault. Ask support to enable access for your account.`;
  if (status === 404 || code === 7) return `The host responded, but this path does not exist. ${address}`;
  if (status === 429) return 'The service is too busy at the moment. Try again later.';
  if (status >= 500 || code === 99) return 'The service reported an internal error. Try again later.';
  if (code === 2) return `The service refused the request. ${address}`;
  if (status >= 300 && status < 400) return `The Base URL redirects to another address. ${address}`;
  return code === 0 ? undefined : `The host responded but is not the payment service. ${address}`;
}

const environmentsOf = ({ environment }: ICredentialDataDecryptedObject) =>
  environment === 'test'
    ? ({ environment: 'test', other: 'production' } as const)
    : ({ environment: 'production', other: 'test' } as const);

async function environmentResult(
  context: ICredentialTestFunctions,
  credential: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
  const { environment, other } = environmentsOf(credential);
  const shown = await environmentOfTransactions(context, credential);
  if (shown === other)
    return failed(
      `Connected, but the approval codes of recent transactions are from ${LABELS[other]}, ${MEANING[other]}. Environment is set to ${LABELS[environment]}. Change the Environment, or enter the Base URL, Merchant ID and key of ${LABELS[environment]}.`,
    );
  const named = environmentNamedBy(baseUrlOf(credential));
  if (shown === undefined && named?.environment === other)
    return failed(
      `Connected, but the Base URL looks like ${LABELS[other]} ("${named.word}"), ${MEANING[other]}. Environment is set to ${LABELS[environment]}. Correct the Environment or the Base URL.`,
    );
  const known = shown
    ? `The environment is ${LABELS[shown]}`
    : `Environment is set to ${LABELS[environment]}, which the test could not confirm`;
  return { status: 'OK', message: `Connection successful. ${known}.` };
}

async function environmentOfTransactions(
  context: ICredentialTestFunctions,
  credential: ICredentialDataDecryptedObject,
) {
  try {
    const path = '/platform/reporting/transaction-requests';
    const { body } = await ask(context, credential, path, { count: LATEST, page: 0 });
    return shownEnvironment(isObject(body.data) ? [body.data] : objectsIn(body.data));
  } catch {
    // If the account has no access to reports, the environment is unknown.
    return undefined;
  }
}

const NOT_FOUND = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA']);
const TOO_LATE = new Set(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT', 'ERR_CANCELED']);
const CERTIFICATE = /CERT|TLS|SELF_SIGNED|UNABLE_TO/;

function unreachable(code: string, credential: ICredentialDataDecryptedObject): string {
  const { host } = new URL(baseUrlOf(credential));
  if (NOT_FOUND.has(code))
    return `The host name "${host}" could not be resolved. Check the Base URL and the network connection.`;
  if (code === 'ECONNREFUSED') return `"${host}" refused the connection. Check the Base URL.`;
  if (TOO_LATE.has(code)) return `"${host}" did not respond within ${TIMEOUT_MS / 1000} seconds. Check the Base URL.`;
  if (code === 'EPROTO') return `The HTTPS connection to "${host}" failed. Check the Base URL.`;
  if (CERTIFICATE.test(code)) return `The certificate of "${host}" is invalid (${code}), so nothing was sent.`;
  return `"${host}" could not be reached${code ? ` (${code})` : ''}. Check the Base URL and the network connection.`;
}
