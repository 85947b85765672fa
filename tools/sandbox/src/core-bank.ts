import { connect } from '@nats-io/transport-node';
import { parseCredentials } from '@xs2a/nats/nats-url';

/** The NATS address at which a bank's own core answers, without the credentials. */
export const parseHost = (coreBankUrl: string): string => parseCredentials(coreBankUrl).servers.join(',');

/** Makes `accounts` and `auth` call a bank's own core, at the NATS server of this address. */
export const coreBankEnvironment = (coreBankUrl: string) => {
  const settings = { CORE_BANK: 'nats', CORE_BANK_NATS_URL: coreBankUrl };
  return { accounts: settings, auth: settings };
};

/** Throws one line if no NATS server accepts the connection: a sandbox that cannot serve a payment does not start. */
export const mustReachCoreBank = async (coreBankUrl: string): Promise<void> => {
  try {
    const connection = await connect({ ...parseCredentials(coreBankUrl), reconnect: false, timeout: 2000 });
    await connection.close();
  } catch {
    throw new Error(
      `No NATS server takes the connection to ${parseHost(coreBankUrl)} (--core-bank). Start it and your core bank first, or leave the option out.`,
    );
  }
};
