import { ICredentialsHelper, type ICredentialDataDecryptedObject, type IHttpRequestOptions } from 'n8n-workflow';

import { PaymentPlatformApi } from '../credentials/PaymentPlatformApi.credentials';
import type { Sandbox } from '../sandbox';

export type CredentialData = Record<string, string>;

export function credentialFor(
  sandbox: Pick<Sandbox, 'baseUrl' | 'productionBaseUrl' | 'credentials'>,
  environment: 'test' | 'production' = 'test',
): CredentialData {
  const { merchantId, apiKey } = sandbox.credentials[environment];
  const baseUrl = environment === 'test' ? sandbox.baseUrl : sandbox.productionBaseUrl;
  return { environment, baseUrl, merchantId, authMethod: 'apiKey', apiKey };
}

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
  async getDecrypted(): Promise<CredentialData> {
    return await Promise.resolve({ ...this.data });
  }

  getCredentials = (): never => {
    throw new Error('not used');
  };
  updateCredentials = async () => await Promise.resolve();
  updateCredentialsOauthTokenData = async () => await Promise.resolve();

  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    _type: string,
    request: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    return await this.type.authenticate(credentials, request);
  }
}
