"""What the user said: orders, answers, objections and corrections, each as a finding."""
