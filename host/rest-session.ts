import { Agent } from 'node:http';

import axios, { type AxiosInstance } from 'axios';

const OWNER_EMAIL = 'owner@example.com';

/** Error response of n8n's REST interface, with n8n's message. */
export class RestError extends Error {
  constructor(
    readonly status: number | undefined,
    words: string,
  ) {
    super(`n8n refused: ${words}`);
  }
}

/**
 * Signed-in session of n8n's REST interface. Methods return the response's `data`.
 * @throws RestError for an error response.
 */
export class RestSession {
  static readonly ownerEmail = OWNER_EMAIL;

  protected readonly http: AxiosInstance;

  constructor(baseUrl: string) {
    this.http = axios.create({
      baseURL: `${baseUrl}/rest`,
      headers: { 'browser-id': 'local-runs' },
      proxy: false,
      // Closes each connection after its response, because n8n may close a reused connection.
      httpAgent: new Agent({ keepAlive: false }),
    });
    this.http.interceptors.response.use(undefined, (error: unknown) => {
      const response = axios.isAxiosError(error) ? error.response : undefined;
      return Promise.reject(new RestError(response?.status, wordsOf(response?.data) ?? String(error)));
    });
  }

  /** Signs in as the owner. Creates the owner if the instance has none. */
  async signIn(password: string): Promise<void> {
    const owner = { email: OWNER_EMAIL, password, firstName: 'Local', lastName: 'Owner' };
    await this.http.post('/owner/setup', owner).catch((error: unknown) => {
      // Ignores status 400, because n8n responds with 400 if an owner exists.
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

function wordsOf(body: unknown): string | undefined {
  if (!body) return undefined;
  return JSON.stringify(body, (key, value: unknown) => (key === 'stacktrace' ? undefined : value)).slice(0, 500);
}
