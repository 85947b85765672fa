import { connect } from '@nats-io/transport-node';
import { parseCredentials } from '@xs2a/nats/nats-url';

/** Returns the NATS address of a bank's own core system without the credentials. */
export const parseHost = (coreBankUrl: string): string => parseCredentials(coreBankUrl).servers.join(',');

/**
 * Returns environment variables that make `accounts` and `auth` call a bank's own core system through the NATS
 * server at this address. The portal then lists no customers.
 */
export const coreBankEnvironment = (coreBankUrl: string) => {
  const settings = { CORE_BANK: 'nats', CORE_BANK_NATS_URL: coreBankUrl };
  return { accounts: settings, auth: settings, portal: { CORE_BANK: settings.CORE_BANK } };
};

/**
 * Throws a one-line error if no NATS server accepts the connection, because a sandbox that cannot execute a
 * payment must not start.
 */
export const mustReachCoreBank = async (coreBankUrl: string): Promise<void> => {
  try {
    const connection = await connect({ ...parseCredentials(coreBankUrl), reconnect: false, timeout: 2000 });
    await connection.close();
  } catch {
    throw new Error(
      `No NATS server accepts connections at ${parseHost(coreBankUrl)} (--core-bank). Start it and your core bank first, or leave the option out.`,
    );
  }
};
