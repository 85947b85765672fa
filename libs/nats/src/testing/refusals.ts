import { createConnection } from 'node:net';

/** Returns a NATS protocol line that publishes to this subject. */
export const publishing = (subject: string): string => `PUB ${subject} 2\r\n{}`;

/**
 * Sends lines of the NATS protocol to the server, without a client library, and returns the errors with which the
 * server refuses them.
 */
export const refusalsOf = (
  port: number,
  { user, password }: { readonly user: string; readonly password: string },
  lines: readonly string[],
): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1');
    let heard = '';
    socket.once('error', reject);
    socket.on('data', (data) => {
      heard += data.toString();
      if (!heard.includes('PONG')) return;
      socket.destroy();
      const said = heard.matchAll(/Permissions Violation for (Publish|Subscription) to "([^"]+)"/g);
      resolve([...said].map(([, operation, subject]) => `${operation?.toLowerCase()} ${subject}`));
    });
    const login = JSON.stringify({ user, pass: password, verbose: false, pedantic: false });
    socket.write(`CONNECT ${login}\r\n${lines.join('\r\n')}\r\nPING\r\n`);
  });
