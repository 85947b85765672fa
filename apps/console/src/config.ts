import { databaseConfig } from '@xs2a/runtime/config';

export const config = { ...databaseConfig };
