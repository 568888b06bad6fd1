import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination, offsetOf, paginationOf } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { exampleAuditEntry } from './example.ts'
import { listAuditEntries } from './queries.ts'
import { Audit, AuditQuery, toAuditEntry } from './schema.ts'

export function registerAudit(api: Api<CoreDeps>): void {
  api.get('/admin/audit', {
    id: 'listAudit',
    summary: 'List the changes by admins, moderators and the operator, newest first',
    tag: 'Users',
    auth: 'admin',
    query: AuditQuery,
    indexes: [
      'audit_entries',
      'audit_entries_by_target',
      'audit_entries_by_actor',
      'audit_entries_by_action',
    ],
    data: Audit,
    example: { audit: [exampleAuditEntry], pagination: examplePagination },
    handler: async ({ db, query }) => {
      const { entries, total } = await listAuditEntries(db, query, offsetOf(query))
      return { audit: entries.map(toAuditEntry), pagination: paginationOf(query, total) }
    },
  })
}
