import { All, Controller, Get, Header, NotFoundException } from '@nestjs/common';
import { liveScript } from '../page/live-script.js';
import { PageController } from '../page/page-controller.js';
import { style } from '../page/style.js';

/** The address of these files changes with their content, so they can be cached permanently. */
const forever = 'public, max-age=31536000, immutable';

/** Serves the readiness check, the stylesheet and the script. */
@Controller()
export class FilesRoutes {
  @Get('health/ready')
  ready(): { readonly ok: true } {
    return { ok: true };
  }

  @Get('style.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', forever)
  @Header('X-Content-Type-Options', 'nosniff')
  stylesheet(): string {
    return style;
  }

  @Get('live.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @Header('Cache-Control', forever)
  @Header('X-Content-Type-Options', 'nosniff')
  script(): string {
    return liveScript;
  }
}

/** Handles every other address. */
@PageController()
export class UnknownRoutes {
  @All('*')
  unknown(): never {
    throw new NotFoundException();
  }
}
