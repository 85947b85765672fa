import { Get, Headers, NotFoundException, Param, Query, Sse } from '@nestjs/common';
import { Observable } from 'rxjs';
import { StatusFeed } from '../bank/status-feed.js';
import { Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import type { AnyInitiated } from '../page/session.js';
import { type Visit, Visiting } from '../page/visit.js';

/** Handles returns from the bank and the events of open pages, for everything that a user initiates here. */
@PageController(':kind/:id')
export class ReturnsRoutes {
  constructor(private readonly feed: StatusFeed) {}

  @Get('back')
  signed(@Visiting() visit: Visit, @Param('id') id: string): Redirect {
    return cameBack(visit, id, 'ok');
  }

  @Get('not-signed')
  notSigned(@Visiting() visit: Visit, @Param('id') id: string): Redirect {
    return cameBack(visit, id, 'nok');
  }

  /**
   * Sends a server-sent event for each change that the bank reports for the resource or its items, with the
   * version as the event's id. `after`: the version that the page has seen; a reconnecting browser sends it in
   * `Last-Event-ID`.
   */
  @Sse('events')
  events(
    @Visiting() visit: Visit,
    @Param('id') id: string,
    @Query('after') after = '',
    @Headers('last-event-id') lastEventId = after,
  ): Observable<{ readonly id: string; readonly data: string }> {
    const seen = Number(lastEventId) || 0;
    const resourceIds = withItems(find(visit, id)).map(({ resourceId }) => resourceId);
    return new Observable((subscriber) =>
      this.feed.listen(resourceIds, seen, (version) =>
        subscriber.next({ id: String(version), data: 'changed' }),
      ),
    );
  }
}

const find = ({ session }: Visit, id: string): AnyInitiated => {
  const known = session.initiated.get(id);
  if (known === undefined) throw new NotFoundException();
  return known;
};

const withItems = (known: AnyInitiated): readonly AnyInitiated[] =>
  known.kind === 'basket' ? [known, ...known.items] : [known];

/** The link through which the user returned proves nothing, so the status is read from the bank. */
const cameBack = (visit: Visit, id: string, returned: 'ok' | 'nok'): Redirect => {
  const known = find(visit, id);
  for (const one of withItems(known)) one.returned = returned;
  return new Redirect(known.ownPath);
};
