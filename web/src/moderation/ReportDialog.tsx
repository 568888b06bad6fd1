import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { useSite } from '../session/site.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm, Dialog } from '../ui/Dialog.tsx'
import { Options, Radios, Select, TextArea } from '../ui/Field.tsx'
import { type ReportReason, texts } from './texts.ts'

interface Props {
  subject: InputOf<'createReport'>['subject']
  title: string
  onClose: () => void
  /** Offers to block the reported user. Undefined when the viewer has already blocked the user. */
  onBlock?: (() => void) | undefined
}

export function ReportDialog({ subject, title, onClose, onBlock }: Props) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const site = useSite()
  const [reason, setReason] = useState<ReportReason>()
  const [ruleId, setRuleId] = useState('')
  const [note, setNote] = useState('')
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (chosen: ReportReason) =>
      plaza.reports.create({ subject, reason: chosen, rule_id: ruleId || null, note }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['own-reports'] }),
  })
  if (isSuccess) {
    const actions = (
      <>
        {onBlock && <Button onClick={onBlock}>{t.block}</Button>}
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      </>
    )
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={t.sent}
        description={<span role="status">{t.sentHelp}</span>}
        actions={actions}
      />
    )
  }
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={title}
      description={t.reportHelp}
      act={t.send}
      isToRead
      isBusy={isPending}
      error={error}
      onConfirm={() => reason && mutate(reason)}
    >
      <Radios
        legend={t.why}
        options={Object.entries(t.reasons) as [ReportReason, string][]}
        value={reason}
        onChange={setReason}
        required
      />
      {site && site.rules.length > 0 && (
        <Select label={t.rule} value={ruleId} onChange={({ target }) => setRuleId(target.value)}>
          <option value="">{t.noRule}</option>
          <Options entries={site.rules.map(({ id, text }) => [id, text])} />
        </Select>
      )}
      <TextArea
        label={t.note}
        rows={2}
        value={note}
        maxLength={1000}
        onChange={({ target }) => setNote(target.value)}
      />
    </Confirm>
  )
}
