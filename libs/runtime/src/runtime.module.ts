import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { Health } from '@xs2a/observability/health';
import { Clock } from './clock.js';
import type { ServiceParts } from './service-parts.js';
import { CONFIG, LOGGER, POOL, PROFILE, STREAMS } from './tokens.js';

@Module({})
class PartsModule {}

/** Makes a service's shared parts injectable everywhere in the service. */
@Module({})
export class RuntimeModule {
  static forRoot(
    parts: ServiceParts,
    app: Type | DynamicModule,
    controllers: readonly Type[] = [],
  ): DynamicModule {
    const providers: Provider[] = [
      { provide: Clock, useValue: parts.clock },
      { provide: CallClient, useValue: parts.callClient },
      { provide: Health, useValue: parts.health },
      { provide: PROFILE, useValue: parts.profile },
      { provide: LOGGER, useValue: parts.logger },
      { provide: STREAMS, useValue: parts.streams },
      { provide: CONFIG, useValue: parts.config },
      { provide: POOL, useValue: parts.pool },
    ];
    return {
      module: RuntimeModule,
      controllers: [...controllers],
      imports: [
        {
          module: PartsModule,
          global: true,
          providers,
          exports: providers.map((provider) => (provider as { provide: symbol }).provide),
        },
        app,
      ],
    };
  }
}
