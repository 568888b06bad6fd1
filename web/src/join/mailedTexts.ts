import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  ko: {
    forgotTitle: '비밀번호 재설정',
    forgotLead: '가입한 핸들이나 이메일을 적으면 새 비밀번호를 정할 링크를 보내 드려요.',
    recoveryLead:
      '저장해 둔 복구 코드로 새 비밀번호를 정해요. 2단계 인증을 쓰는 계정에서는 링크가 필요해요.',
    withRecoveryCode: '복구 코드가 있어요',
    withMail: '메일로 링크 받기',
    wrongRecoveryCode: '핸들과 코드를 확인해 주세요. 2단계 인증을 쓰는 계정에서는 쓸 수 없어요.',
    send: '링크 보내기',
    sent: '메일을 확인해 주세요',
    sentHelp: '계정이 있으면 몇 분 안에 메일이 도착해요. 메일이 없으면 스팸함도 확인해 주세요.',
    sendAgain: '다시 보내기',
    noMail: '이 사이트에서는 메일을 보낼 수 없어요. 관리자에게 재설정 링크를 부탁해 주세요.',
    backToSignIn: '로그인으로 돌아가기',

    resetTitle: '새 비밀번호 정하기',
    resetLead: '바꾸면 모든 기기에서 로그아웃돼요. API 키는 그대로 쓸 수 있어요.',
    newPassword: '새 비밀번호',
    setPassword: '비밀번호 바꾸기',
    passwordSet: '비밀번호를 바꿨어요. 새 비밀번호로 로그인해 주세요.',
    askAgain: '새 링크 받기',

    verifyTitle: '이메일 주소 확인',
    verifyLead: '버튼을 누르면 이 주소가 내 계정의 이메일로 확인돼요.',
    verify: '이메일 확인하기',
    verified: '이메일을 확인했어요',
    verifiedHelp: '이제 모든 기능을 쓸 수 있어요.',
    toStart: '시작하기',

    undoTitle: '이메일 변경 취소',
    undoLead:
      '이전 이메일 주소로 되돌리고 모든 기기에서 로그아웃해요. 주소를 바꾼 뒤에 추가된 2단계 인증은 삭제하고, 새 비밀번호를 정할 링크를 메일로 보내 드려요.',
    undo: '이전 주소로 되돌리기',
    undone: '이전 주소로 되돌렸어요',
    undoneHelp: '메일에서 새 비밀번호를 정하는 링크를 열어 주세요.',

    noToken: '링크가 완전하지 않아요',
    noTokenHelp: '메일에 있는 링크 전체를 복사해 다시 열어 주세요.',
  },
  en: {
    forgotTitle: 'Reset your password',
    forgotLead: "Enter your handle or email, and we'll send you a link to choose a new password.",
    recoveryLead:
      'Choose a new password with a recovery code that you saved. Accounts with two-step sign-in need a link instead.',
    withRecoveryCode: 'I have a recovery code',
    withMail: 'Get a link by email',
    wrongRecoveryCode:
      "Check the handle and the code. Accounts with two-step sign-in can't use it here.",
    send: 'Send link',
    sent: 'Check your email',
    sentHelp:
      "If the account exists, the email arrives within a few minutes. If you don't see it, check your spam folder.",
    sendAgain: 'Send again',
    noMail: "This site can't send email. Ask an admin for a reset link.",
    backToSignIn: 'Back to sign-in',

    resetTitle: 'Choose a new password',
    resetLead: "You'll be signed out on all devices. API keys keep working.",
    newPassword: 'New password',
    setPassword: 'Change password',
    passwordSet: 'Password updated. Sign in with your new password.',
    askAgain: 'Get a new link',

    verifyTitle: 'Confirm your email',
    verifyLead: 'Press the button to confirm this address for your account.',
    verify: 'Confirm email',
    verified: 'Email confirmed',
    verifiedHelp: 'You can use everything now.',
    toStart: 'Get started',

    undoTitle: 'Undo the email change',
    undoLead:
      'This restores your earlier address, signs out all devices and removes two-step sign-in that was set up since the change. We also email you a link to choose a new password.',
    undo: 'Restore the earlier address',
    undone: 'Earlier address restored',
    undoneHelp: 'Open the link in the email to choose a new password.',

    noToken: 'This link is incomplete',
    noTokenHelp: 'Copy the whole link from the email and open it again.',
  },
})
