"""What an operator does with a whole house: copy it, back it up, restore it, check it."""
