import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

/** Arguments of the tool calls in each turn of the model. */
export type Turns = IDataObject[][];

export interface ToolFunction {
  name: string;
  description?: string;
  parameters: IDataObject;
}

interface ChatRequest {
  messages: Array<{ role: string; content: unknown }>;
  tools?: Array<{ function: ToolFunction }>;
}

/** Chat model on loopback that calls tools according to a script and records the requests. */
export interface ChatModel {
  /** Base URL for an `openAiApi` credential. */
  url: string;
  /**
   * Sets the model's tool calls.
   * @param breaks name of a tool whose first result makes the model fail once.
   */
  play: (script: Record<string, Turns>, breaks?: string) => void;
  /** Returns a tool's results from the last request that offered the tool. */
  read: (tool: string) => string[];
  /** Returns a tool's definition from the last request that offered the tool. */
  described: (tool: string) => ToolFunction | undefined;
  stop: () => Promise<void>;
}

/** Starts a chat model that serves `POST /v1/chat/completions` without streaming. */
export async function startChatModel(): Promise<ChatModel> {
  let script: Record<string, Turns> = {};
  let breaksAfter: string | undefined;
  let requests: ChatRequest[] = [];
  const functionOf = (request: ChatRequest, tool: string) =>
    request.tools?.find(({ function: f }) => f.name === tool)?.function;
  const offers = (request: ChatRequest, tool: string) => functionOf(request, tool) !== undefined;

  const answer = (request: ChatRequest): { status: number; body: object } => {
    requests.push(request);
    const [tool, turns] = Object.entries(script).find(([name]) => offers(request, name)) ?? ['', []];
    const done = resultsIn(request).length;
    if (done > 0 && tool === breaksAfter) {
      breaksAfter = undefined;
      return { status: 400, body: { error: { message: 'The model broke down', type: 'invalid_request_error' } } };
    }
    return { status: 200, body: completion(messageFor(tool, nextTurn(turns, done), requests.length)) };
  };

  const server = createServer((request, response) => void respond(request, response, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play: (next, breaks) => {
      script = next;
      breaksAfter = breaks;
      requests = [];
    },
    read: (tool) => {
      const last = requests.filter((request) => offers(request, tool)).at(-1);
      return last ? resultsIn(last) : [];
    },
    described: (tool) => requests.flatMap((request) => functionOf(request, tool) ?? []).at(-1),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: ChatRequest) => { status: number; body: object },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { status, body } = answer(JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const resultsIn = ({ messages }: ChatRequest): string[] =>
  messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));

/** Agents return simultaneous calls as separate turns. */
function nextTurn(turns: Turns, done: number): IDataObject[] {
  let before = 0;
  for (const turn of turns) {
    if (before === done) return turn;
    before += turn.length;
  }
  return [];
}

const messageFor = (tool: string, calls: IDataObject[], number: number) =>
  calls.length === 0
    ? { role: 'assistant', content: 'That is all.' }
    : {
        role: 'assistant',
        content: null,
        tool_calls: calls.map((args, index) => ({
          id: `call_${number}_${index}`,
          type: 'function',
          function: { name: tool, arguments: JSON.stringify(args) },
        })),
      };

const completion = (message: object) => ({
  id: 'completion',
  object: 'chat.completion',
  created: 0,
  model: 'scripted',
  choices: [{ index: 0, message, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
