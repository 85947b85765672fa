import { startService } from '@xs2a/runtime/service';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Provider } from 'oidc-provider';
import { AuthModule, type AuthParts } from './auth.module.js';
import { config } from './config.js';
import { acceptForms, answerGatewayOnly, continueContext, PageFilter } from './http.js';
import { migrations } from './migrations/index.js';
import { followBankLook, readBankLook } from './sca/pages/look/bank-look.js';
import { mountProvider } from './oauth/oauth-routes.js';

/** Starts the service. Called by main.ts once oidc-provider uses the service's clock. */
export const start = async (): Promise<void> => {
  await startService({
    name: 'auth',
    // Browsers and TPPs call this service directly, so if the database does not answer, they get an error
    // within two seconds.
    databaseAnswersWithinMs: 1500,
    config,
    migrations,
    module: AuthModule,
    checkProfile: (profile, settings) => void readBankLook(profile, settings),
    fastify: () =>
      new FastifyAdapter({
        bodyLimit: 16 * 1024,
        routerOptions: { maxParamLength: 100 },
        // A request that arrives on a keep-alive connection while the process is shutting down is still
        // answered.
        return503OnClosing: false,
      }),
    http: async (app: NestFastifyApplication, { config, logger, profile }: AuthParts) => {
      const fastify = app.getHttpAdapter().getInstance();
      answerGatewayOnly(fastify, { secrets: config.GATEWAY_SECRET, logger });
      continueContext(fastify);
      acceptForms(fastify);
      app.useGlobalFilters(new PageFilter(followBankLook(profile, config)));
      await mountProvider(fastify, () => app.get(Provider));
    },
  });
};
