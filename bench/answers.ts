/** Answers recorded from Plaza, which the bare server repeats. */
export interface Recorded {
  method: 'GET' | 'POST'
  /** As a route of Fastify. */
  route: string
  status: number
  headers: Record<string, string>
  body: string
}

/** What Node adds by itself. */
export const ADDED_BY_NODE = new Set(['connection', 'content-length', 'date', 'keep-alive'])
