/** Picture, link and texts of users. */
import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { UserRef } from '#sdk'
import { useLangOf } from '../language/look.ts'
import { partsOf } from './linking.ts'
import { srcSetOf } from './sources.ts'
import styles from './User.module.css'

interface Props {
  user: Pick<UserRef, 'handle' | 'display_name' | 'avatar_url' | 'avatar_sizes'>
  /** Size in pixels at the default font size. The picture scales with the font size. */
  size?: number
}

/**
 * Picture of a user, or the first letter of the name. Hidden from screen readers, because the name is next to the
 * picture.
 */
export function Avatar({ user, size = 36 }: Props) {
  const box = { width: inRem(size), height: inRem(size), fontSize: inRem(size * 0.42) }
  if (user.avatar_url) {
    return (
      <img
        className={styles.avatar}
        style={box}
        loading="lazy"
        sizes={inRem(size)}
        // `covers` is 1, because the round box shows only a square from the middle of the picture.
        srcSet={srcSetOf(user.avatar_sizes, { covers: 1 })}
        src={user.avatar_url}
        alt=""
        width={size}
        height={size}
      />
    )
  }
  const [first] = user.display_name || user.handle
  // Draws the letter with CSS, because a text would make a button's visible label differ from its accessible name.
  return <span className={styles.avatar} style={box} data-letter={first} aria-hidden="true" />
}

const inRem = (pixels: number) => `${pixels / 16}rem`

interface LinkProps extends Pick<ComponentProps<'a'>, 'className' | 'title' | 'children'> {
  handle: string
}

/** Link to the profile of a user. */
export function UserLink({ handle, ...link }: LinkProps) {
  return <Link to="/creators/$handle" params={{ handle }} {...link} />
}

export function LinkedText({ text }: { text: string }) {
  return (
    <span className={styles.text} lang={useLangOf(text)}>
      {partsOf(text).map((part, index) => {
        if (part.kind === 'text') return part.text
        if (part.kind === 'link') {
          return (
            <a
              key={index}
              className={styles.link}
              href={part.href}
              target="_blank"
              rel="noopener noreferrer nofollow ugc"
            >
              {part.text}
            </a>
          )
        }
        return (
          <UserLink key={index} className={styles.link} handle={part.handle}>
            {part.text}
          </UserLink>
        )
      })}
    </span>
  )
}
