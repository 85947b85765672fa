import type { LoggerService } from '@nestjs/common';
import type { Logger } from '@xs2a/observability/logger';

/** Logs the messages of Nest as structured lines; its startup messages appear only at debug level. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug({ nest: String(message) });
  }

  verbose(message: unknown): void {
    this.logger.trace({ nest: String(message) });
  }

  debug(message: unknown): void {
    this.logger.trace({ nest: String(message) });
  }

  warn(message: unknown): void {
    this.logger.warn({ nest: String(message) });
  }

  error(message: unknown): void {
    if (message instanceof Error) this.logger.error({ error: message }, 'nest');
    else this.logger.error({ nest: String(message).slice(0, 300) });
  }

  fatal(message: unknown): void {
    this.error(message);
  }
}
