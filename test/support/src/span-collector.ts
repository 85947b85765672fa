import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

/** The part of opentelemetry/proto/trace/v1/trace.proto that the tests read. Other fields are skipped. */
const otlp = `
syntax = "proto3";
message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  bytes parent_span_id = 4;
  string name = 5;
  SpanKind kind = 6;
  repeated KeyValue attributes = 9;
  repeated Link links = 13;
  Status status = 15;
}
enum SpanKind { UNSPECIFIED = 0; INTERNAL = 1; SERVER = 2; CLIENT = 3; PRODUCER = 4; CONSUMER = 5; }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { StatusCode code = 3; }
enum StatusCode { UNSET = 0; OK = 1; ERROR = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string string_value = 1;
    bool bool_value = 2;
    int64 int_value = 3;
    double double_value = 4;
    ArrayValue array_value = 5;
  }
}
message ArrayValue { repeated AnyValue values = 1; }`;
const exportRequest = protobuf.parse(otlp).root.lookupType('ExportTraceServiceRequest');

interface Value {
  readonly arrayValue?: { readonly values: readonly Value[] };
  readonly [kind: string]: unknown;
}
type Attributes = readonly { readonly key: string; readonly value: Value }[];
interface Decoded {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly kind: string;
        readonly attributes: Attributes;
        readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
        readonly status?: { readonly code?: string };
      }[];
    }[];
  }[];
}

/** A span as the collector received it. Ids are in hex. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Absent if the span is the root of its trace. */
  readonly parentId?: string;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The ids of the spans to which it links. */
  readonly links: readonly string[];
  readonly isError: boolean;
}

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
const plain = ({ arrayValue, ...other }: Value): unknown =>
  arrayValue === undefined ? Object.values(other)[0] : arrayValue.values.map(plain);
const read = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));

const spansIn = (body: Buffer): CollectedSpan[] => {
  const options = { bytes: String, enums: String, longs: Number, arrays: true };
  const { resourceSpans } = exportRequest.toObject(exportRequest.decode(body), options) as Decoded;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ name, kind, traceId, spanId, parentSpanId = '', attributes, links, status }) => ({
        service: String(read(resource.attributes)['service.name']),
        traceId: hex(traceId),
        spanId: hex(spanId),
        ...(parentSpanId === '' ? {} : { parentId: hex(parentSpanId) }),
        name,
        kind,
        attributes: read(attributes),
        links: links.map((link) => hex(link.spanId)),
        isError: status?.code === 'ERROR',
      })),
  );
};

/** An OpenTelemetry collector that keeps the spans that it receives by OTLP over HTTP. */
export class SpanCollector {
  /** The spans of all processes, in order of arrival. */
  readonly spans: CollectedSpan[] = [];
  /** The messages as received, in which tests look for text that must not be there. */
  readonly bodies: Buffer[] = [];
  /** The status of every answer; `hang` if there is none. */
  behaviour: number | 'hang' = 200;
  private readonly server = createServer((request, response) => void this.take(request, response));

  private constructor() {}

  static async start(): Promise<SpanCollector> {
    const collector = new SpanCollector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { behaviour } = this;
    if (behaviour === 'hang') return;
    if (behaviour === 200 && request.url === '/v1/traces') {
      const body = Buffer.concat(chunks);
      this.bodies.push(body);
      this.spans.push(...spansIn(body));
    }
    response.writeHead(behaviour, { 'content-type': 'application/x-protobuf' }).end();
  }
}
