import type { Webhook } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { Badge } from '../../ui/Badge.tsx'
import { texts } from './texts.ts'

/** Badge that shows whether the webhook is enabled and whether deliveries are failing. */
export function State({ webhook: { is_active, failure_count } }: { webhook: Webhook }) {
  const t = useTexts(texts)
  if (!is_active) return <Badge>{t.off}</Badge>
  if (failure_count > 0) return <Badge tone="warn">{t.failing(failure_count)}</Badge>
  return <Badge tone="good">{t.on}</Badge>
}
