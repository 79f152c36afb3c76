import type {
  Icon,
  ICredentialDataDecryptedObject,
  ICredentialTestRequest,
  ICredentialType,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';

/** The base URL as it is used; an address that is not allowed becomes one that nobody can answer (see `test`). */
const USABLE_BASE_URL =
  '={{ (/^https:\\/\\/[^\\s?#@]+$/i.test($credentials.baseUrl.trim()) || /^http:\\/\\/(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d+)?(\\/[^\\s?#@]*)?$/i.test($credentials.baseUrl.trim())) ? $credentials.baseUrl.trim().replace(/\\/+$/, "") : "https://base-url-must-begin-with-https.invalid" }}';

/**
 * How an address begins that the notice has nothing to say about. n8n asks for it whenever it reads the credential: a
 * regular expression would run in a sandbox each time, for half of what a request costs. The node is more exact.
 */
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

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

export class PaymentPlatformApi implements ICredentialType {
  name = 'paymentPlatformApi';

  displayName = 'Payment Platform API';

  icon: Icon = { light: 'file:../icons/payment-platform.svg', dark: 'file:../icons/payment-platform.dark.svg' };

  documentationUrl = 'https://example.com/n8n-nodes-payment-platform#credential';

  properties: INodeProperties[] = [
    {
      displayName: 'Environment',
      name: 'environment',
      type: 'options',
      options: [
        { name: 'Production', value: 'production', description: 'Real money' },
        { name: 'Test', value: 'test', description: 'Nothing is charged' },
      ],
      default: 'test',
      description: 'Which environment the base URL, merchant ID and token belong to. Each environment has its own.',
    },
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://api.example.com',
      description:
        'Address of the environment, as your provider gave it. It must begin with https:// (http:// only for this computer, e.g. http://127.0.0.1:4010/test).',
    },
    {
      displayName:
        'This base URL is not accepted: the token would travel unprotected. It must begin with https:// (http:// only for this computer).',
      name: 'baseUrlNotice',
      type: 'notice',
      default: '',
      displayOptions: { hide: { baseUrl: ADDRESS_BEGINS } },
    },
    {
      displayName: 'Merchant ID',
      name: 'merchantId',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. 123456789012',
      description: 'Number of the merchant that the API key is linked to, digits only',
    },
    {
      displayName: 'Authentication Method',
      name: 'authMethod',
      type: 'options',
      options: [
        { name: 'API Key', value: 'apiKey', description: 'The token is formed from the merchant ID and the API key' },
        { name: 'API Token', value: 'apiToken', description: 'A finished token, as it was issued' },
      ],
      default: 'apiKey',
      description: 'What you have been given: an API key, or a finished API token',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      displayOptions: { show: { authMethod: ['apiKey'] } },
      description: 'The key of this environment. It is sent to the base URL only.',
    },
    {
      displayName: 'API Token',
      name: 'apiToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      displayOptions: { show: { authMethod: ['apiToken'] } },
      description: 'The token as it was issued. It is sent after the word "Basic".',
    },
    {
      displayName: 'Webhook Security Keys',
      name: 'webhookSecretKeys',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        'For the trigger, after a security key was changed in the merchant portal: the new key, which counts at once. Several are separated by commas. The trigger knows the keys of its own webhooks by itself.',
    },
  ];

  /**
   * Adds the token (interface: security scheme `basic`). A function, for n8n evaluates an expression in its place for
   * every request. What it is given is not changed: only the copy that is sent holds the token.
   */
  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    request: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    const { authMethod, merchantId, apiKey, apiToken } = credentials;
    const token =
      authMethod === 'apiToken'
        ? asText(apiToken).replace(/^Basic\s+/i, '')
        : Buffer.from(`${asText(merchantId)}:${asText(apiKey)}`).toString('base64');
    return await Promise.resolve({ ...request, headers: { ...request.headers, authorization: `Basic ${token}` } });
  }

  test: ICredentialTestRequest = {
    request: {
      baseURL: USABLE_BASE_URL,
      url: '/platform/vault/customer',
      method: 'GET',
      headers: { accept: 'application/json' },
      qs: { count: 1, page: 0 },
      disableFollowRedirect: true,
    },
    // The service can answer HTTP 200 with a code that says no. n8n goes by rules of both kinds; its type names one at a time.
    rules: [
      {
        type: 'responseCode',
        properties: {
          value: 401,
          message: 'The merchant ID or the token is wrong, or it belongs to the other environment',
        },
      },
      {
        type: 'responseCode',
        properties: {
          value: 403,
          message: 'The token has no access to the customer vault. Ask support to enable it for the account.',
        },
      },
      {
        type: 'responseCode',
        properties: { value: 404, message: 'The base URL is wrong: the service has nothing at this address' },
      },
      {
        type: 'responseSuccessBody',
        properties: {
          key: 'code',
          value: 11,
          message: 'The merchant ID or the token is wrong, or it belongs to the other environment',
        },
      },
      {
        type: 'responseSuccessBody',
        properties: {
          key: 'code',
          value: 6,
          message: 'The token has no access to the customer vault. Ask support to enable it for the account.',
        },
      },
      {
        type: 'responseSuccessBody',
        properties: {
          key: 'code',
          value: 7,
          message: 'The base URL is wrong: the service has nothing at this address',
        },
      },
      {
        type: 'responseSuccessBody',
        properties: { key: 'code', value: 2, message: 'The service refused the request. Check the base URL.' },
      },
      {
        type: 'responseSuccessBody',
        properties: { key: 'code', value: 99, message: 'The service failed. Try again later.' },
      },
    ] as ICredentialTestRequest['rules'],
  };
}
