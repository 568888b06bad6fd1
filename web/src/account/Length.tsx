import { PASSWORD_MAX, PASSWORD_MIN } from '../join/rules.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Account.module.css'
import { texts } from './texts.ts'

const LONG = 20

/**
 * Shows whether a password is long enough, which is the only rule. With `isSaid` the text is left out,
 * because the field already shows an error.
 */
export function Length({ length, isSaid }: { length: number; isSaid: boolean }) {
  const t = useTexts(texts)
  const share = Math.min(1, length / LONG)
  const isEnough = length >= PASSWORD_MIN && length <= PASSWORD_MAX
  return (
    <div className={styles.meter}>
      <div className={styles.track} aria-hidden="true">
        <div
          className={`${styles.fill} ${isEnough ? styles.enough : ''}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {!isSaid && (
        <p>
          <Words length={length} />
        </p>
      )}
      {/* Announced once, not at every key. */}
      <p className="unseen" role="status">
        {isEnough && t.passwordGood}
      </p>
    </div>
  )
}

function Words({ length }: { length: number }) {
  const t = useTexts(texts)
  if (length < PASSWORD_MIN) return t.passwordMore(PASSWORD_MIN - length)
  if (length > PASSWORD_MAX) return t.passwordOver
  return length < LONG ? t.passwordEnough(length) : t.passwordLong(length)
}
