import type { IDataObject } from 'n8n-workflow';

const PROTOCOL = '2025-03-26';

interface McpTool {
  name: string;
  description: string;
  inputSchema: IDataObject;
}

/** Session with an MCP server over streamable HTTP. */
export interface McpSession {
  tools: McpTool[];
  /** Calls a tool, and returns the text that the server sends to the agent. */
  call: (tool: string, args: IDataObject) => Promise<string>;
}

interface Answer {
  result?: IDataObject;
  error?: { message: string };
}

/** Opens a session and lists the tools. Throws an Error if the server refuses. */
export async function openMcpSession(url: string): Promise<McpSession> {
  let sessionId: string | undefined;
  let id = 0;
  const post = async (method: string, params: IDataObject, isNotice = false): Promise<IDataObject> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        connection: 'close',
        ...(sessionId && { 'mcp-session-id': sessionId }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', method, params, ...(!isNotice && { id: ++id }) }),
    });
    sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
    const text = await response.text();
    if (!response.ok) throw new Error(`${method}: HTTP ${response.status} ${text}`);
    if (isNotice) return {};
    const { result, error } = answerIn(text);
    if (!result) throw new Error(`${method}: ${error?.message ?? text}`);
    return result;
  };
  await post('initialize', {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  });
  await post('notifications/initialized', {}, true);
  const { tools } = (await post('tools/list', {})) as unknown as { tools: McpTool[] };
  return {
    tools,
    call: async (tool, args) => {
      const { content } = (await post('tools/call', { name: tool, arguments: args })) as {
        content: Array<{ text: string }>;
      };
      return content.map(({ text }) => text).join('\n');
    },
  };
}

/** The response is JSON or an event stream with a single message. */
function answerIn(text: string): Answer {
  const data = text.split('\n').find((line) => line.startsWith('data:'));
  return JSON.parse(data ? data.slice('data:'.length) : text) as Answer;
}
