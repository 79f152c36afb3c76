import { Agent } from 'node:http';

import axios, { type AxiosInstance } from 'axios';

const OWNER_EMAIL = 'owner@example.com';

/** n8n's error response to a REST request, with n8n's message. */
export class RestError extends Error {
  constructor(
    readonly status: number | undefined,
    words: string,
  ) {
    super(`n8n refused: ${words}`);
  }
}

/**
 * A signed-in session at n8n's REST interface. Methods return the response's `data` and throw RestError for an error
 * response.
 */
export class RestSession {
  static readonly ownerEmail = OWNER_EMAIL;

  protected readonly http: AxiosInstance;

  constructor(baseUrl: string) {
    this.http = axios.create({
      baseURL: `${baseUrl}/rest`,
      headers: { 'browser-id': 'local-runs' },
      proxy: false,
      // n8n closes idle sockets after 5 s, so requests on kept-alive connections would occasionally fail.
      httpAgent: new Agent({ keepAlive: false }),
    });
    this.http.interceptors.response.use(undefined, (error: unknown) => {
      const response = axios.isAxiosError(error) ? error.response : undefined;
      return Promise.reject(new RestError(response?.status, wordsOf(response?.data) ?? String(error)));
    });
  }

  /** Signs in as the owner. Creates the owner on a new n8n. */
  async signIn(password: string): Promise<void> {
    const owner = { email: OWNER_EMAIL, password, firstName: 'Local', lastName: 'Owner' };
    await this.http.post('/owner/setup', owner).catch((error: unknown) => {
      // n8n refuses a second owner.
      if (!(error instanceof RestError) || error.status !== 400) throw error;
    });
    const { headers } = await this.http.post('/login', { emailOrLdapLoginId: OWNER_EMAIL, password });
    const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]);
    this.http.defaults.headers.common.cookie = cookies.join('; ');
  }

  async get<T>(path: string, params?: object): Promise<T> {
    return (await this.http.get<{ data: T }>(path, { params })).data.data;
  }

  async post<T>(path: string, body: unknown = {}): Promise<T> {
    return (await this.http.post<{ data: T }>(path, body)).data.data;
  }

  async patch<T>(path: string, body: unknown): Promise<T> {
    return (await this.http.patch<{ data: T }>(path, body)).data.data;
  }

  async delete(path: string): Promise<void> {
    await this.http.delete(path);
  }
}

/** Returns the body of an error response without n8n's stack trace. */
function wordsOf(body: unknown): string | undefined {
  if (!body) return undefined;
  return JSON.stringify(body, (key, value: unknown) => (key === 'stacktrace' ? undefined : value)).slice(0, 500);
}
