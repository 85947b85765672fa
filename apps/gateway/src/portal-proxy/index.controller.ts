import { Controller, Get, Redirect } from '@nestjs/common';

/** The first page of a gateway without a developer portal. */
@Controller()
export class IndexController {
  /** Redirects to the API description (contract 1). */
  @Get()
  @Redirect('/docs', 302)
  index(): void {}
}
