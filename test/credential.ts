import type { IDataObject, IHttpRequestOptions, INode, Workflow } from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';

import { PaymentPlatformApi } from '../credentials/PaymentPlatformApi.credentials';
import type { Sandbox } from '../sandbox';

export type CredentialData = Record<string, string>;

/** The credential for one environment of a sandbox. */
export function credentialFor(
  sandbox: Pick<Sandbox, 'baseUrl' | 'productionBaseUrl' | 'credentials'>,
  environment: 'test' | 'production' = 'test',
): CredentialData {
  const { merchantId, apiKey } = sandbox.credentials[environment];
  const baseUrl = environment === 'test' ? sandbox.baseUrl : sandbox.productionBaseUrl;
  return { environment, baseUrl, merchantId, authMethod: 'apiKey', apiKey };
}

/** Holds one credential and signs requests by the credential's own `authenticate`, as n8n's helper does. */
export class SandboxCredential extends ICredentialsHelper {
  private readonly type = new PaymentPlatformApi();

  constructor(private readonly data: CredentialData) {
    super();
  }

  getParentTypes = () => [];
  isCredentialUsableByNode = () => true;
  getCredentialsProperties = () => this.type.properties;
  preAuthentication = async () => await Promise.resolve(undefined);
  runPreAuthentication = async () => await Promise.resolve(undefined);
  getDecrypted = async () => await Promise.resolve({ ...this.data });
  getCredentials = (): never => {
    throw new Error('not used');
  };
  updateCredentials = async () => await Promise.resolve();
  updateCredentialsOauthTokenData = async () => await Promise.resolve();

  async authenticate(
    $credentials: IDataObject,
    _type: string,
    request: IHttpRequestOptions,
    workflow?: Workflow,
    node?: INode,
  ): Promise<IHttpRequestOptions> {
    if (!workflow || !node) throw new Error('A request needs its workflow and node');
    const headers: IDataObject = { ...request.headers };
    for (const [name, text] of Object.entries(this.type.authenticate.properties.headers ?? {}))
      headers[name] = workflow.expression.getSimpleParameterValue(node, text as string, 'internal', { $credentials });
    return await Promise.resolve({ ...request, headers });
  }
}
