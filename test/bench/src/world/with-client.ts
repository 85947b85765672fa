import { Client } from 'pg';

/** Runs the work on a separate connection. */
export const withClient = async <Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
