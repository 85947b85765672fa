import { databaseConfig, relayConfig } from '@xs2a/runtime/config';

export const config = { ...databaseConfig, ...relayConfig };
