import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Mail server on loopback that keeps the text of each message. */
export interface Mailbox {
  port: number;
  messages: string[];
  stop: () => Promise<void>;
}

/** Starts a mail server that accepts SMTP without encryption and without a login. */
export async function startMailbox(): Promise<Mailbox> {
  const messages: string[] = [];
  const server = createServer((socket) => receive(socket, messages));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    stop: async () => await new Promise((resolve) => server.close(() => resolve())),
  };
}

function receive(socket: Socket, messages: string[]): void {
  const answer = (line: string) => socket.write(`${line}\r\n`);
  let input = '';
  let isMessage = false;
  answer('220 mailbox');
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    input += chunk;
    for (;;) {
      const end = isMessage ? '\r\n.\r\n' : '\r\n';
      const at = input.indexOf(end);
      if (at < 0) return;
      const text = input.slice(0, at);
      input = input.slice(at + end.length);
      if (isMessage) messages.push(decoded(text));
      isMessage = !isMessage && text === 'DATA';
      if (isMessage) answer('354 go on');
      else if (text === 'QUIT') socket.end('221 bye\r\n');
      else answer('250 ok');
    }
  });
}

/** Decodes the quoted-printable body of a message and removes SMTP's dot stuffing. */
const decoded = (message: string): string =>
  message
    .replace(/^\.\./gm, '.')
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
