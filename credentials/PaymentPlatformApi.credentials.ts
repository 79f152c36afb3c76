import {
  createEnvProviderState,
  type Icon,
  type ICredentialDataDecryptedObject,
  type ICredentialType,
  type IHttpRequestOptions,
  type INodeProperties,
} from 'n8n-workflow';

/** For URLs with these prefixes, the editor shows no warning about unencrypted requests. */
const ADDRESS_BEGINS: NonNullable<NonNullable<INodeProperties['displayOptions']>['hide']>[string] = [
  '',
  'http://localhost',
  'http://[::1]',
  ...[
    'https://',
    ' https://',
    'http://localhost:',
    'http://localhost/',
    'http://127.',
    'http://[::1]:',
    'http://[::1]/',
  ].map((startsWith) => ({ _cnd: { startsWith } })),
];

type Conditions = typeof ADDRESS_BEGINS;

const containing = (...parts: string[]): Conditions => parts.map((includes) => ({ _cnd: { includes } }));
const NAMES_TEST = containing('/test', '-test', '.test', 'sandbox', 'staging');
const NAMES_PRODUCTION = containing('/prod', '-prod', '.prod', '/live', '-live', '.live');

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Returns `undefined` for HTTP URLs, unless the host is local, because HTTP would expose the token. */
function originOf(address: unknown, base?: string): string | undefined {
  const text = asText(address);
  if (!URL.canParse(text, base)) return undefined;
  const { protocol, hostname, origin } = new URL(text, base);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)) ? origin : undefined;
}

/** Environment variables that make n8n send HTTP requests through a proxy, in lower case (n8n.md#credential). */
const PROXY_VARIABLES = ['http_proxy', 'all_proxy', 'npm_config_http_proxy', 'npm_config_proxy'];

function mayUseProxy({ proxy }: IHttpRequestOptions): boolean {
  const { isEnvAccessBlocked, env } = createEnvProviderState();
  return (
    proxy !== undefined || isEnvAccessBlocked || PROXY_VARIABLES.some((name) => env[name] || env[name.toUpperCase()])
  );
}

/**
 * Makes n8n connect to a local HTTP service directly, by naming the service as its own proxy. Any other proxy would
 * receive the token unencrypted.
 */
function withoutProxy(baseUrl: unknown, request: IHttpRequestOptions): Pick<IHttpRequestOptions, 'proxy'> {
  const { protocol, hostname, port } = new URL(asText(baseUrl));
  if (protocol !== 'http:' || !mayUseProxy(request)) return {};
  return { proxy: { protocol: 'http', host: hostname, port: Number(port || 80) } };
}

/**
 * Without this check, n8n's HTTP Request node could send the credential's token to any URL.
 * @throws Error that names the allowed origin.
 */
function requireBaseUrl(baseUrl: unknown, request: Request): void {
  const own = originOf(baseUrl);
  const target = asText(request.uri) === '' ? request.url : request.uri;
  const base = asText(request.baseURL);
  if (own !== undefined && originOf(target, base === '' ? undefined : base) === own) return;
  const allowed = own === undefined ? 'an https address' : own;
  throw new Error(`Payment Platform API credential: nothing was sent, because its token goes only to ${allowed}.`);
}

/** The HTTP Request node sets `uri`. Other nodes set `url`. */
type Request = IHttpRequestOptions & { uri?: unknown };

/** Credential for the payment service: base URL, merchant ID, and API key or API token. */
export class PaymentPlatformApi implements ICredentialType {
  name = 'paymentPlatformApi';

  displayName = 'Payment Platform API';

  icon: Icon = { light: 'file:../icons/payment-platform.svg', dark: 'file:../icons/payment-platform.dark.svg' };

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-payment-platform#credential';

  properties: INodeProperties[] = [
    {
      displayName: 'Environment',
      name: 'environment',
      type: 'options',
      options: [
        { name: 'Production', value: 'production', description: 'Moves real money' },
        { name: 'Test', value: 'test', description: 'Moves no money' },
      ],
      default: 'test',
      description:
        "Environment of the base URL, merchant ID and key below. The node sends all requests to the base URL, whatever you choose here. The option 'Test Environment Only' checks this setting.",
    },
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://api.example.com',
      description:
        'Base URL of the environment from your provider. The URL must start with https://, or with http:// if the URL is local, e.g. http://127.0.0.1:4010/test.',
    },
    {
      displayName:
        'With this base URL, the API key or token would be sent unencrypted. Enter a URL that starts with https://. Only a local URL can start with http://.',
      name: 'baseUrlNotice',
      type: 'notice',
      default: '',
      displayOptions: { hide: { baseUrl: ADDRESS_BEGINS } },
    },
    {
      displayName:
        'This base URL looks like the test environment, but Environment is set to Production. Correct the URL or the Environment. Each environment has its own base URL, merchant ID and key.',
      name: 'testAddressNotice',
      type: 'notice',
      default: '',
      displayOptions: { show: { environment: ['production'], baseUrl: NAMES_TEST } },
    },
    {
      displayName:
        'This base URL looks like Production, which moves real money, but Environment is set to Test. Correct the URL or the Environment. Each environment has its own base URL, merchant ID and key.',
      name: 'productionAddressNotice',
      type: 'notice',
      default: '',
      displayOptions: { show: { environment: ['test'], baseUrl: NAMES_PRODUCTION } },
    },
    {
      displayName: 'Merchant ID',
      name: 'merchantId',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. 123456789012',
      description: 'Numeric merchant ID for the API key',
    },
    {
      displayName: 'Authentication Method',
      name: 'authMethod',
      type: 'options',
      options: [
        { name: 'API Key', value: 'apiKey', description: 'Use a merchant ID and API key' },
        { name: 'API Token', value: 'apiToken', description: 'Use a token that you received from the service' },
      ],
      default: 'apiKey',
      description: 'Type of secret that you received: an API key or an API token',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      displayOptions: { show: { authMethod: ['apiKey'] } },
      description: 'API key of this environment. The node sends the key only to the base URL.',
    },
    {
      displayName: 'API Token',
      name: 'apiToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      displayOptions: { show: { authMethod: ['apiToken'] } },
      description: 'API token without the word "Basic", which the node adds',
    },
    {
      displayName: 'Webhook Security Keys',
      name: 'webhookSecretKeys',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        'Replacement security keys from the merchant portal, separated by commas. The trigger already knows the original keys of its webhooks.',
    },
  ];

  /**
   * Adds the Basic authentication token to a copy of the request. Never sends the token unencrypted to another computer.
   * @throws Error if the request goes outside the base URL's origin.
   */
  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    request: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    const { authMethod, merchantId, apiKey, apiToken, baseUrl } = credentials;
    requireBaseUrl(baseUrl, request);
    const token =
      authMethod === 'apiToken'
        ? asText(apiToken).replace(/^Basic\s+/i, '')
        : Buffer.from(`${asText(merchantId)}:${asText(apiKey)}`).toString('base64');
    const headers = { ...request.headers, authorization: `Basic ${token}` };
    const direct = withoutProxy(baseUrl, request);
    return await Promise.resolve({ ...request, ...direct, headers, sendCredentialsOnCrossOriginRedirect: false });
  }
}
