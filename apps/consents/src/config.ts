import { databaseConfig, eventStreamConfig } from '@xs2a/runtime/config';

export const config = { ...databaseConfig, ...eventStreamConfig };
