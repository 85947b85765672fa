import { connect } from 'node:net';

/** A response as read from the socket. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/**
 * Sends a request exactly as written, with content that fetch would correct or refuse: repeated headers, invalid
 * paths, invalid bytes.
 */
export const rawRequest = async (
  baseUrl: string,
  request: string,
  lines: readonly string[] = [],
  body: Buffer = Buffer.alloc(0),
): Promise<RawAnswer> => {
  const { hostname, port } = new URL(baseUrl);
  const head = [
    `${request} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    ...lines,
    ...(body.length > 0 || request.startsWith('POST') ? [`Content-Length: ${body.length}`] : []),
    'Connection: close',
  ];
  const text = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
    });
    socket.setTimeout(5000, () => socket.destroy(new Error(`no answer within 5 s to ${request}`)));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
  const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  const [answered = '', ...rest] = text.split('\r\n\r\n');
  return { status: Number(status), head: answered, text: rest.join('\r\n\r\n') };
};
